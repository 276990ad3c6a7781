import type { Refusal } from '#protocol/refusal.js'
import type { SourceFile } from '#src/domain/lore/source-file.js'
import type { Delta } from './delta.js'
import type { AnsweredFrom, Question } from './question.js'

/**
 * What passes between the main thread and a reader thread: both ends are one build of one program, so the compiler is
 * the codec.
 */
export type ToThread =
  /**
   * Changed files, ahead of the `Follow` that needs them; cut into parts so that no turn of the main thread is
   * long.
   */
  | { readonly _tag: 'Files'; readonly files: ReadonlyArray<SourceFile> }
  | { readonly _tag: 'Follow'; readonly delta: Delta }
  | { readonly _tag: 'Ask'; readonly id: number; readonly question: Question }

export type FromThread =
  | { readonly _tag: 'Up' }
  | { readonly _tag: 'Followed'; readonly generation: number }
  | {
      readonly _tag: 'Answered'
      readonly id: number
      readonly status: number
      /** Transferred, never copied back. */
      readonly bytes: ArrayBuffer
      readonly packed: boolean
      readonly headers: Readonly<Record<string, string>>
      readonly from: AnsweredFrom
    }
  | { readonly _tag: 'Refused'; readonly id: number; readonly refusal: Refusal }
  | { readonly _tag: 'Threw'; readonly id: number; readonly message: string; readonly stack: string | null }
