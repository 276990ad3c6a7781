import type { ChatCall, Heard } from '#protocol/chat/platform.js'
import { answerLifeMs } from '#src/domain/dispatch/check-dispatch.js'
import type { Trace } from '#test/simulation/node/trace.js'
import type { Weather } from '#test/simulation/node/weather.js'
import type { WorkerHost } from '../chat-host.js'

/** Holds the answers against what the sender of an interaction may see: the own answer, within the life of its token. */
export const openAnswerCheck = (
  { violation }: Trace,
  { refuses }: Pick<Weather, 'refuses'>,
  monotonicMs: () => number,
) => {
  /** When a host last received the interaction of a token while it had none. */
  const acceptedMs = new Map<string, number>()
  /** When each process learned that a token is dead. */
  const deadMs = new Map<string, number>()
  const checkAlive = (host: WorkerHost, token: string): void => {
    const sinceMs = deadMs.get(`${host.name}.${host.lives} ${token}`)
    // A disk that refuses does not take the end of the answer.
    if (sinceMs !== undefined && host.soundSinceMs < sinceMs && !refuses(host.name))
      violation(`${host.name} answers ${token}, which the platform refused (S34)`)
  }
  return {
    onForwarded: (host: WorkerHost, id: string): void => {
      acceptedMs.set(`${host.name} token-${id}`, monotonicMs())
    },
    onCall: (host: WorkerHost, { path, body }: ChatCall): void => {
      const token = path.split('/')[3] ?? ''
      checkAlive(host, token)
      const sinceMs = acceptedMs.get(`${host.name} ${token}`)
      if (sinceMs === undefined)
        return violation(`${host.name} answers ${token}, which it did not accept (S34)`)
      const ageMs = monotonicMs() - sinceMs
      if (ageMs > answerLifeMs + 1) violation(`${host.name} answers ${token} after ${ageMs} ms (L4)`)
      if (body?.includes('Zrobione: ') === true && !body.includes(`Zrobione: ${token.slice(6)}"`))
        violation(`${host.name} answers ${token} with ${body} (S34)`)
    },
    onHeard: (host: WorkerHost, { path }: ChatCall, heard: Heard): void => {
      if (heard._tag !== 'Answer' || heard.status !== 401) return
      deadMs.set(`${host.name}.${host.lives} ${path.split('/')[3] ?? ''}`, monotonicMs())
    },
  }
}
