/** What the commands are given, after commander has checked it. */
export interface ServeOptions {
  readonly repo: string
  readonly state?: string
  readonly port?: number
  readonly opsPort?: number
  readonly town: string
}

export interface DemoOptions {
  readonly directory: string
  readonly scale?: number
  readonly seed: string
  readonly serve: boolean
  readonly port?: number
  readonly opsPort?: number
}

export interface AdoptOptions {
  readonly directory: string
  readonly dryRun: boolean
  readonly json: boolean
}

export interface DoctorOptions {
  readonly repo: string
  readonly json: boolean
}

export interface ListOptions {
  readonly json: boolean
}
