/** The flip that a host obeyed last; it outlives the process. */
export interface ObeyedTopology {
  readonly apex: string
  readonly term: number
  /** The term that the flip to this apex had to raise; null where this host saw no flip. */
  readonly termBefore: number | null
}
