import { testFront } from './front.js'
import { type Fields, isFields } from './matching.js'
import { worldOf } from './world.js'
import { textsOf } from './writing-world.js'

/** One request of a case. */
export interface AskedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
}

/**
 * The result of requests to a world: its texts and each answer; or the first refusal, in the form that cases
 * expect.
 */
export type AskedOutcome =
  | { readonly texts: Readonly<Record<string, string>>; readonly answers: ReadonlyArray<Fields> }
  | { readonly throws: string }

/** Sends requests one after another to a front over texts, as a client with every capability. */
export const runRequests = async (
  texts: Readonly<Record<string, string>>,
  requests: ReadonlyArray<AskedRequest>,
): Promise<AskedOutcome> => {
  const front = await testFront({ snapshot: worldOf(texts) })
  try {
    const answers: Array<Fields> = []
    for (const { method, path, body } of requests) {
      const { status, json, text } = await front.client.ask(encodeURI(path), {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (!isFields(json)) throw new Error(`${method} ${path} answers no object: ${text}`)
      if (status >= 400) return { throws: `${String(json['error'])}: ${String(json['detail'])}` }
      answers.push(json)
    }
    return { texts: textsOf(front.world() ?? worldOf(texts)), answers }
  } finally {
    await front.close()
  }
}
