/**
 * Names one version of the topology: the commit that last changed its file on the fetched branch, and the
 * file's blob (D46). A blob alone comes back when towns flip there and back.
 */
export interface TopologyFence {
  readonly commit: string
  readonly blob: string
}

/** Whether the topology is still the version that work began with. */
export const isSameFence = (a: TopologyFence, b: TopologyFence): boolean =>
  a.commit === b.commit && a.blob === b.blob

/** The branch of the takeover that follows a version of the topology: its term and the start of its blob. */
export const takeoverBranch = (term: number, { blob }: TopologyFence): string =>
  `fleet/takeover/${term}-${blob.slice(0, 12)}`
