import type { ExitCode } from '#protocol/exit-code.js'
import type { TrustOptions } from './checkout/trust.js'
import type { CompletionOptions } from './completion/completion.js'
import type { FleetCommands } from './fleet/fleet.js'
import type { KeysCommands } from './keys.js'
import type { ModelCommands } from './model.js'
import type {
  AdoptOptions,
  DemoOptions,
  DoctorOptions,
  EnactAwardOptions,
  EnactOptions,
  InitOptions,
  ListOptions,
  ServeOptions,
} from './options.js'
import type { TokenCommands } from './token.js'
import type { WorkloadOptions } from './workload.js'

type Run<O> = (options: O) => Promise<ExitCode>

/** The implementation of each command; `main.ts` provides them. */
export interface Commands {
  readonly serve: Run<ServeOptions>
  readonly demo: Run<DemoOptions>
  readonly init: Run<InitOptions>
  readonly adopt: Run<AdoptOptions>
  readonly doctor: Run<DoctorOptions>
  readonly enact: {
    readonly award: Run<EnactAwardOptions>
    readonly close: Run<EnactOptions>
    readonly report: Run<EnactOptions>
  }
  readonly routes: Run<ListOptions>
  readonly token: TokenCommands
  readonly keys: KeysCommands
  readonly model: ModelCommands
  readonly fleet: FleetCommands
  readonly trust: Run<TrustOptions>
  readonly openapi: () => Promise<ExitCode>
  readonly completion: Run<CompletionOptions>
  /** Returns the exit code of the command that it ran, which may be any. */
  readonly workload: (options: WorkloadOptions) => Promise<number>
}
