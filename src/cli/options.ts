export const logLevels = ['debug', 'info', 'warn', 'error'] as const
/** The lowest level of records that the log of a served host shows. */
export type LogLevel = (typeof logLevels)[number]

/** The options of the commands, after commander has checked them. */
export interface ServeOptions {
  readonly repo: string
  readonly state?: string
  readonly port?: number
  /** The API's port if neither the command nor the configuration names one and it is free. */
  readonly preferredPort?: number
  readonly opsPort?: number
  /** Reader threads of a host whose configuration sets none. */
  readonly readerThreads?: number
  readonly town: string
  readonly logLevel?: LogLevel
  /** Folders below which trees of `corpora.*` may lie. */
  readonly allowTree?: ReadonlyArray<string>
}

export interface DemoOptions {
  readonly directory: string
  readonly scale?: number
  readonly seed: string
  readonly serve: boolean
  /** The name of the served host; empty outside a fleet. */
  readonly town: string
  readonly port?: number
  readonly opsPort?: number
  readonly logLevel?: LogLevel
}

export interface InitOptions {
  readonly directory: string
  readonly json: boolean
}

export interface AdoptOptions {
  readonly directory: string
  readonly dryRun: boolean
  readonly diff: boolean
  readonly json: boolean
}

export interface DoctorOptions {
  readonly repo: string
  readonly json: boolean
}

/** The options of `kronika enact`: a checkout that no daemon serves. */
export interface EnactOptions {
  readonly repo: string
  readonly state?: string
  /** The town whose published key signs the commit; empty: it is not signed. */
  readonly town: string
  readonly dryRun: boolean
  readonly json: boolean
}

export interface EnactAwardOptions extends EnactOptions {
  /** `YYYY-MM`, or `previous`: the month before the current one. */
  readonly month: string
}

export interface ListOptions {
  readonly json: boolean
}

/** The options of `kronika token`: the host that serves this checkout. */
export interface TokenOptions {
  readonly repo: string
  readonly state?: string
  readonly json: boolean
}

export interface TokenMintOptions extends TokenOptions {
  readonly name: string
  readonly capability: ReadonlyArray<string>
  /** In seconds; if absent, valid until revoked. */
  readonly expiresIn?: number
}

export interface TokenRevokeOptions extends TokenOptions {
  readonly id: string
}
