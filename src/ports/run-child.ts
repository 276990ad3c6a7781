/** The exit code of a command, and why it was not started, where it was not. */
export interface ChildEnd {
  readonly code: number
  readonly failure: 'not_found' | 'not_started' | null
}

/** Runs a command with the streams of this process. Never rejects. */
export type RunChild = (command: string, args: ReadonlyArray<string>) => Promise<ChildEnd>
