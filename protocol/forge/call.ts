/** What can be done to a job of a pipeline. */
export type JobAction = 'retry' | 'play' | 'cancel'

/**
 * One call of the forge, for the configured project. Requests are merge requests; `iid` is their number in the
 * project.
 */
export type ForgeCall =
  | {
      readonly _tag: 'OpenRequest'
      readonly sourceBranch: string
      readonly targetBranch: string
      readonly title: string
      readonly description: string
    }
  /** The requests of a branch in any state, the newest first; 20 at most. */
  | { readonly _tag: 'ListRequests'; readonly sourceBranch: string }
  | { readonly _tag: 'ReadRequest'; readonly iid: number }
  /**
   * Merges the request without squashing it, if its branch is at `sha`: now, or with `whenChecksSucceed` as soon as
   * the pipeline that runs has succeeded.
   */
  | {
      readonly _tag: 'MergeRequest'
      readonly iid: number
      readonly sha: string
      readonly whenChecksSucceed?: boolean
    }
  /** Closes the request and replaces its description. */
  | { readonly _tag: 'CloseRequest'; readonly iid: number; readonly description: string }
  | {
      readonly _tag: 'StartPipeline'
      readonly ref: string
      readonly variables: Readonly<Record<string, string>>
    }
  | { readonly _tag: 'ReadPipeline'; readonly pipelineId: number }
  /** The first 100 jobs of a pipeline. */
  | { readonly _tag: 'ListJobs'; readonly pipelineId: number }
  | { readonly _tag: 'ActOnJob'; readonly jobId: number; readonly action: JobAction }
  | { readonly _tag: 'ReadTrace'; readonly jobId: number }

/** A call as HTTP; `path` is below the base and the project. */
export interface ForgeWire {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** JSON; null when the call has none. */
  readonly body: string | null
}
