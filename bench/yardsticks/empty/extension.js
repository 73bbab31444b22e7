// The least an extension can be.
exports.activate = () => {};
