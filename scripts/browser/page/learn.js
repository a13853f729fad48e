export const learn = { start() {}, mayMove: () => false, move() {}, step() {} };
