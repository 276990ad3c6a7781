import { jsonField } from '../json-field.js'

/** What a player asks for, as the chat hands it to the worker. */
export interface Interaction {
  readonly id: string
  readonly kind: 'close' | 'report' | 'query'
  readonly vars: Readonly<Record<string, string>>
  readonly sentAtEpochMs: number
}

/** An answer of the host; null where none came in time. */
export type WorkerAnswer = { readonly status: number; readonly body: unknown } | null

/** How an interaction ends for the worker. `told`: the player reads that nobody does what they asked for. */
export type WorkerEnd = 'accepted' | 'pipeline' | 'told'

export interface WorkerDoubleOptions {
  /** Where the worker finds the host, and its token; rejects like a name that leads nowhere. */
  readonly host: () => { readonly port: number; readonly token: string }
  /** Receives each attempt, with the number that it has for its interaction. */
  readonly onAttempt?: (interaction: Interaction, attempt: number, answer: WorkerAnswer) => void
}

/** A double of the worker that forwards interactions of the chat. */
export interface WorkerDouble {
  /** Makes one attempt, and waits for at most `workerTimeoutMs`. */
  readonly post: (interaction: Interaction) => Promise<WorkerAnswer>
  /** Forwards an interaction to its end: a second attempt where the first had no answer, then the other path. */
  readonly forward: (interaction: Interaction) => Promise<WorkerEnd>
  /** The interactions that the pipeline of CI enacted, each once, as the key of a commit makes it. */
  readonly pipeline: ReadonlySet<string>
}

/** `integrations.chat.dispatch.worker_timeout_ms`. */
export const workerTimeoutMs = 6_500

const attemptsMax = 2

export const isDuplicate = (answer: WorkerAnswer): boolean => jsonField(answer?.body, 'duplicate') === true

export const workerDouble = ({ host, onAttempt = () => undefined }: WorkerDoubleOptions): WorkerDouble => {
  const pipeline = new Set<string>()
  const post = async ({ id, ...rest }: Interaction): Promise<WorkerAnswer> => {
    try {
      const { port, token } = host()
      const response = await fetch(`http://127.0.0.1:${port}/v1/api/chat/dispatch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ interactionId: id, ...rest }),
        signal: AbortSignal.timeout(workerTimeoutMs),
      })
      const body: unknown = await response.json()
      return { status: response.status, body }
    } catch {
      return null
    }
  }
  const attempt = async (interaction: Interaction, nth: number): Promise<WorkerAnswer> => {
    const answer = await post(interaction)
    onAttempt(interaction, nth, answer)
    return answer === null && nth < attemptsMax ? attempt(interaction, nth + 1) : answer
  }
  return {
    post,
    pipeline,
    forward: async interaction => {
      const answer = await attempt(interaction, 1)
      if (answer?.status === 202) return 'accepted'
      // The pipeline has no answers to queries, and a report that is too late is so everywhere.
      if (interaction.kind === 'query' || answer?.status === 409) return 'told'
      pipeline.add(interaction.id)
      return 'pipeline'
    },
  }
}
