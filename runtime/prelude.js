// Runs before any of the script's own code. Nothing in here looks up a global
// when it is called later.
(function (Error, define, seal) {
	'use strict';
	class OperationError extends Error {
		constructor(message) {
			super(message);
		}
	}
	define(OperationError.prototype, 'name', {
		value: 'OperationError', writable: true, enumerable: false, configurable: true,
	});
	// The chain from an OperationError to Error can no longer be cut.
	seal(OperationError);
	seal(OperationError.prototype);
	return {
		OperationError,
		// The frame on which all visits to the engine stand.
		enter: (task) => task(),
	};
})
