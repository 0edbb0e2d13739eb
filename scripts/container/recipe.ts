/** What a run without a builder needs of the Containerfile, so that both have the same settings. */
export interface Recipe {
  env: Record<string, string>
  entrypoint: string[]
  command: string[]
  healthCheck: string[]
}

export function readRecipe(text: string): Recipe {
  const lines = text.split('\n').filter(line => !line.startsWith('#'))
  const argumentOf = (instruction: string) => {
    const line = lines.find(each => each.startsWith(`${instruction} `))
    if (line === undefined) throw new Error(`the Containerfile has no ${instruction}`)
    return line.slice(instruction.length + 1)
  }
  const listAfter = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]
  const env = argumentOf('ENV').split(' ')
  return {
    env: Object.fromEntries(env.map(pair => pair.split('=', 2) as [string, string])),
    entrypoint: listAfter(argumentOf('ENTRYPOINT')),
    command: listAfter(argumentOf('CMD')),
    healthCheck: listAfter(argumentOf('HEALTHCHECK')),
  }
}
