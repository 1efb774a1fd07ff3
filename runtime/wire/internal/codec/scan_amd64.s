//go:build gc && !purego

#include "textflag.h"

// EACH fills a register with a byte that is given eight times.
#define EACH(eight, X) \
	MOVQ eight, R8 \
	MOVQ R8, X     \
	PUNPCKLQDQ X, X

// STOPS makes zeros in M of the bytes in V that end the plain part of a string, and of these alone: a byte xor 2 is above 0x20, but for control
// characters and quotes; a byte xor 0x5c is zero for a backslash. T is lost.
#define STOPS(V, M, T) \
	MOVOU V, M      \
	PXOR X5, M      \
	PSUBUSB X6, M   \
	MOVOU V, T      \
	PXOR X7, T      \
	PMINUB T, M

// MASK makes a bit for each byte of M0 and M1 that is zero.
#define MASK(M0, M1, R, S) \
	PCMPEQB X15, M0 \
	PCMPEQB X15, M1 \
	PMOVMSKB M0, R  \
	PMOVMSKB M1, S  \
	SHLL $16, S     \
	ORL S, R

// func lookFar(data []byte, i int) (at int, stops, wide, passed uint32)
//
// There are 32 bytes or more. Bytes are loaded from where 32 of them follow, and from the last 32. SSE2 alone is used, which all of amd64 has.
TEXT ·lookFar(SB), NOSPLIT, $0-52
	MOVQ data_base+0(FP), SI
	MOVQ data_len+8(FP), DX
	MOVQ i+24(FP), AX
	SUBQ $32, DX // where the last 32 bytes begin
	EACH($0x0202020202020202, X5)
	EACH($0x2020202020202020, X6)
	EACH($0x5c5c5c5c5c5c5c5c, X7)
	PXOR X15, X15
	PXOR X4, X4 // all that was passed over
	JMP  test

next:
	MOVOU (SI)(AX*1), X0
	MOVOU 16(SI)(AX*1), X1
	STOPS(X0, X2, X8)
	STOPS(X1, X3, X9)
	MOVOU X2, X8
	PMINUB X3, X8
	PCMPEQB X15, X8
	PMOVMSKB X8, CX
	TESTL CX, CX
	JNE  found
	POR  X0, X4
	POR  X1, X4
	ADDQ $32, AX

test:
	CMPQ AX, DX
	JLE  next

	// Less than a block is left: it is in the last 32 bytes, whose first ones were passed over. A bit stands for the end.
	MOVOU (SI)(DX*1), X0
	MOVOU 16(SI)(DX*1), X1
	STOPS(X0, X2, X8)
	STOPS(X1, X3, X9)
	MASK(X2, X3, BX, R9)
	PMOVMSKB X0, R8
	PMOVMSKB X1, R9
	SHLL $16, R9
	ORL  R9, R8
	MOVQ $1, R10
	SHLQ $32, R10
	ORQ  R10, BX
	MOVQ AX, CX
	SUBQ DX, CX // 1 to 32
	SHRQ CX, BX
	SHRQ CX, R8
	JMP  done

found:
	MASK(X2, X3, BX, R9)
	PMOVMSKB X0, R8
	PMOVMSKB X1, R9
	SHLL $16, R9
	ORL  R9, R8

done:
	PMOVMSKB X4, R9
	MOVQ AX, at+32(FP)
	MOVL BX, stops+40(FP)
	MOVL R8, wide+44(FP)
	MOVL R9, passed+48(FP)
	RET
