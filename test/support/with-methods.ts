/**
 * An object with some methods replaced; the others still run on the object itself, with its private
 * fields.
 */
export function withMethods<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      const value = Reflect.get(name in methods ? methods : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
