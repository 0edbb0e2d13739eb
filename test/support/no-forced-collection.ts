/**
 * Garbage is collected when the runtime finds it necessary. Elysia demands it for each server, and
 * the drawing of pictures for each picture: of both, tests make thousands.
 */
Bun.gc = () => 0
