export const analyse = { start() {}, mayMove: () => false, move() {}, step() {} };
