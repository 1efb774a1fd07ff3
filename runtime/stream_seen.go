package runtime

import (
	"reflect"
	"slices"
)

// gathered is a list that is mostly added to, and seldom read: what is in it is not moved as it grows. The zero value is empty.
type gathered[T any] struct {
	last []T   // what is added to
	full [][]T // what came before
}

const (
	firstBlock = 4        // items
	blockBytes = 16 << 10 // what a block grows to
)

// room returns where the next item goes: a zero value.
func (k *gathered[T]) room() *T {
	if len(k.last) == cap(k.last) {
		if len(k.last) > 0 {
			k.full = append(k.full, k.last)
		}
		most := blockBytes / int(max(1, reflect.TypeFor[T]().Size()))
		k.last = make([]T, 0, max(firstBlock, min(2*len(k.last), most)))
	}
	return &k.last[:len(k.last)+1][len(k.last)]
}

// add adds what was put where room said.
func (k *gathered[T]) add() { k.last = k.last[:len(k.last)+1] }

// all returns all items in one list, with room for as many again, so that asking after each item costs no more than append does.
func (k *gathered[T]) all() []T {
	if len(k.full) > 0 {
		size := len(k.last)
		for _, block := range k.full {
			size += len(block)
		}
		list := make([]T, 0, 2*size)
		for _, block := range k.full {
			list = append(list, block...)
		}
		k.last, k.full = append(list, k.last...), nil
	}
	return slices.Clip(k.last)
}
