/** What the properties do with names and conditions. */
import { rename, showOnlyIf } from './conditions.ts'
import type { ActionOptions, CommandRunner } from './runner.ts'

export class ConditionActions {
  readonly #options: ActionOptions
  readonly #runner: CommandRunner

  constructor(options: ActionOptions, runner: CommandRunner) {
    this.#options = options
    this.#runner = runner
  }

  rename(id: string, name: string): void {
    const { session } = this.#options
    this.#runner.run(
      'changed',
      () => rename(session.state, id, name),
      () => '',
    )
  }

  showOnlyIf(ids: readonly string[], condition: Parameters<typeof showOnlyIf>[2]): void {
    const { session } = this.#options
    this.#runner.run(
      'changed',
      () => showOnlyIf(session.state, ids, condition),
      () => '',
    )
  }
}
