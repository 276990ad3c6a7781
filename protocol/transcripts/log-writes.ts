import * as t from 'io-ts'

/** Why the content gate refuses a body that came (docs/spec/transcripts.md#gate). */
export const ContentRefusal = t.keyof(
  {
    content_type: null,
    empty: null,
    html: null,
    no_container: null,
    gone: null,
    interstitial: null,
    lfs_pointer: null,
    binary: null,
    too_many_lines: null,
    worse: null,
  },
  'ContentRefusal',
)
export type ContentRefusal = t.TypeOf<typeof ContentRefusal>
