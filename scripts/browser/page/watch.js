export const watch = { start() {}, mayMove: () => false, move() {}, step() {} };
