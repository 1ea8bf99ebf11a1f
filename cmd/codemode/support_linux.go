package main

// support says what the operations can do on this platform.
const support = "all operations"

// operable says that the operations can be carried out at all.
const operable = true
