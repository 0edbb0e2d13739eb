/** Opens a data folder for the verbs of `signet cert`: one that exists, beside a serving instance where there is one. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '../ports.ts'
import { configFrom, type Io, type ParsedFlags } from './verb.ts'

/** Runs `work` over the folder. Answers 1, after messageRef what to do, where the folder holds nothing. */
export async function withDataFolder(
  parsed: ParsedFlags,
  io: Io,
  who: string,
  work: (app: App) => Promise<void>,
): Promise<number> {
  const config = configFrom(parsed, io.env)
  if (!existsSync(join(config.dataFolder, 'signet.db'))) {
    io.err(`${config.dataFolder} holds no signet.db: start signet serve once, or name the folder with --data.`)
    return 1
  }
  const { app, close } = await io.open(config, who, false)
  try {
    await work(app)
    return 0
  } finally {
    await close()
  }
}
