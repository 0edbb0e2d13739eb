/** A code and what its sentence needs. The words are in `locales`, for each language. */

/** `Params` lists the codes of a family, with what the sentence of each needs. */
export type Coded<Params> = { [C in keyof Params]: { code: C; params: Params[C] } }[keyof Params]

export type GivenParams<Params, C extends keyof Params> = Params[C] extends undefined ? [] : [params: Params[C]]

/** Makes the function that makes those of a family. */
export const coderOf =
  <Params>() =>
  <C extends keyof Params>(code: C, ...[params]: GivenParams<Params, C>) =>
    ({ code, params }) as Coded<Params>
