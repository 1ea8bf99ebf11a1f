package main

// support says what the operations can do on this platform.
const support = "all operations"
