package main

// documents are what can be found.
var documents = []Document{ //nolint:gochecknoglobals // it is never written to
	{"refund", "Refunds are paid within five working days to the card that was charged."},
	{"password", "To change your password open Settings, choose Security, and follow the link that we send you."},
	{"invoice", "Every invoice is kept for ten years and can be downloaded under Billing."},
	{"shipping", "Parcels leave our warehouse on the day of the order and take two days to arrive."},
	{"return", "Goods can be returned within thirty days in their original packaging."},
	{"cancel", "A subscription ends with the month in which it is cancelled."},
	{"limits", "The free plan allows a thousand requests a day; paid plans have no limit."},
	{"privacy", "We delete the data of a closed account after ninety days."},
}

// refusal is what users are told when there is nothing else to give them.
var refusal = Results{Apology: "Search does not work right now. Please try again in a few minutes."} //nolint:gochecknoglobals // as above
