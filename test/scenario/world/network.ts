/** The place that is remote and forge. */
export const forgeName = 'forge'

/** The program of a place that runs: its process, and the port on which it listens. */
export interface RunningPlace {
  readonly pid: number
  readonly port: number
}

/** Names the link of two places, in either order. */
export const nameLink = (one: string, other: string): string => [one, other].sort().join(' – ')

/** How the places of a world reach each other. A place is a town or `forgeName`. */
export interface Network {
  /** The base URL of the interface of a town, as `.svc/fleet.json` has it. */
  readonly townUrl: (town: string) => string
  /** The URL of a path of the forge, as the git of a town calls it. */
  readonly remoteUrl: (town: string, path: string) => string
  /** The URL of a path of the forge, as every daemon calls it. */
  readonly forgeUrl: (path: string) => string
  /** The start of the command that starts the program of a place; empty where it needs none. */
  readonly within: (place: string) => ReadonlyArray<string>
  /** The port on which the program of a place listens; 0: any. */
  readonly portOf: (place: string) => number
  /** The port of the loopback of the story under which the program of a place is reached, whatever is cut. */
  readonly storyPort: (place: string, running: RunningPlace) => number
  /** What daemons get in their environment, and clones in their configuration, to trust the places. */
  readonly env: Readonly<Record<string, string>>
  readonly gitConfig: Readonly<Record<string, string>>
  /** Records that the program of a place runs; null: that it ended. */
  readonly attach: (place: string, running: RunningPlace | null) => void
  /** Cuts the link of two places, in both directions. */
  readonly cut: (one: string, other: string) => void
  readonly restore: (one: string, other: string) => void
  /** Number of connections that were opened behind a cut link and are stalled. */
  readonly stalled: () => number
  readonly close: () => Promise<void>
}
