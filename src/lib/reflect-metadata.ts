/**
 * What packages of `@simplewebauthn/server` need at their start. A module of its own: the bundler
 * starts modules in order, but packages in CommonJS only after all of them.
 */
import 'reflect-metadata'
