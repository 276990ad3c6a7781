export const logLevels = ['debug', 'info', 'warn', 'error'] as const
/** The least grave records that the log of a served host shows. */
export type LogLevel = (typeof logLevels)[number]

/** What the commands are given, after commander has checked it. */
export interface ServeOptions {
  readonly repo: string
  readonly state?: string
  readonly port?: number
  /** The API's port where neither the command nor the configuration names one and it is free. */
  readonly preferredPort?: number
  readonly opsPort?: number
  readonly town: string
  readonly logLevel?: LogLevel
}

export interface DemoOptions {
  readonly directory: string
  readonly scale?: number
  readonly seed: string
  readonly serve: boolean
  /** Of the served host; empty off the fleet. */
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

export interface ListOptions {
  readonly json: boolean
}

/** Whose named tokens: those of the host that serves the checkout. */
export interface TokenOptions {
  readonly repo: string
  readonly state?: string
  readonly json: boolean
}

export interface TokenMintOptions extends TokenOptions {
  readonly name: string
  readonly capability: ReadonlyArray<string>
  /** Seconds; absent: until it is revoked. */
  readonly expiresIn?: number
}

export interface TokenRevokeOptions extends TokenOptions {
  readonly id: string
}
