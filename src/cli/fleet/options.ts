/** The options of `kronika fleet`: the host that serves this checkout. */
export interface FleetOptions {
  readonly repo: string
  readonly state?: string
  readonly json: boolean
}

export interface FleetStatusOptions extends FleetOptions {
  readonly watch: boolean
}

export interface FleetTakeoverOptions extends FleetOptions {
  readonly reason: string
  /** The first candidate if absent. */
  readonly target?: string
  readonly force: boolean
  readonly dryRun: boolean
  /** Follows the job to its end. */
  readonly wait: boolean
}

export interface AcceptRewriteOptions extends FleetOptions {
  /** Accepts; otherwise the command shows what it would do. */
  readonly yes: boolean
}

export interface FleetAnnounceOptions extends FleetOptions {
  readonly apex: string
  /** Number of the merged request. */
  readonly request?: number
  /** When the role changed, ISO 8601 in UTC. */
  readonly at?: string
  readonly dryRun: boolean
}
