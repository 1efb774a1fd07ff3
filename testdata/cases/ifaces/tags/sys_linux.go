package tags

type sysHandle int
