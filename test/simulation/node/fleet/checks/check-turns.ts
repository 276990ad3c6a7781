import type { Trace } from '../../trace.js'

/** Holds S32 against the effects of one actor in one process: none begins before the one before it ended. */
export const checkTurns = ({ violation }: Pick<Trace, 'violation'>, actor: string) => {
  let busy: string | null = null
  return async <A>(effect: string, work: () => Promise<A>): Promise<A> => {
    if (busy !== null) violation(`${actor} begins ${effect} during ${busy} (S32)`)
    busy = effect
    try {
      return await work()
    } finally {
      busy = null
    }
  }
}
