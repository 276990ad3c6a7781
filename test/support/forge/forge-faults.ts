import * as t from 'io-ts'

/** What a request to the double is for. */
export const DoubleOperation = t.keyof({
  open: null,
  list: null,
  read: null,
  merge: null,
  close: null,
  note: null,
  fetch: null,
  push: null,
  other: null,
})
export type DoubleOperation = t.TypeOf<typeof DoubleOperation>

/**
 * What disturbs a request. A number is a status that is answered without doing anything. `hang`: no answer, and
 * nothing is done. `lose`: it is done, and the answer is never sent; git's connection is ended then. `hang_up`: the connection is ended.
 * `garble`: it is done, and the body of the answer is no JSON. `veto`: it is done, and then a person closes the
 * request.
 */
export const ForgeFault = t.intersection(
  [
    t.type({
      on: t.union([DoubleOperation, t.literal('any')]),
      do: t.union([t.number, t.keyof({ hang: null, lose: null, hang_up: null, garble: null, veto: null })]),
    }),
    t.partial({
      /** Text of the `Retry-After` header, with a status. */
      retryAfter: t.string,
      /** How many requests are disturbed; 1 unless set. */
      times: t.number,
    }),
  ],
  'ForgeFault',
)
export type ForgeFault = t.TypeOf<typeof ForgeFault>

/** The faults that are left, in order; the first one that fits a request is used. */
export class FaultQueue {
  private left: ReadonlyArray<{ readonly fault: ForgeFault; readonly times: number }> = []

  add(faults: ReadonlyArray<ForgeFault>): void {
    this.left = [...this.left, ...faults.map(fault => ({ fault, times: fault.times ?? 1 }))]
  }

  take(operation: DoubleOperation): ForgeFault | null {
    const found = this.left.find(({ fault }) => fault.on === 'any' || fault.on === operation)
    if (found === undefined) return null
    this.left = this.left.flatMap(one => {
      if (one !== found) return [one]
      return one.times > 1 ? [{ ...one, times: one.times - 1 }] : []
    })
    return found.fault
  }
}
