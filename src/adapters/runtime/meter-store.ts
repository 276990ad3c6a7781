import { basename } from 'node:path'
import { type Store, type StoreError, storeErrors, stores } from '#protocol/metrics.js'
import { processMeter } from '#src/adapters/metrics/process-meter.js'

/** Meters the calls of one file of SQLite. Each runs its argument and returns or throws what that does. */
export interface StoreMeter {
  /** Counts an error. */
  readonly call: <A>(work: () => A) => A
  /** Counts an error, and times a write that ends well. */
  readonly write: <A>(work: () => A) => A
}

/** The store at a path; a file of another name is an index of the search. */
export const storeOf = (path: string): Store =>
  stores.find(store => basename(path) === `${store}.db`) ?? 'search'

/** The primary code of an extended one: `SQLITE_IOERR_WRITE` is an `ioerr`. */
export const labelError = (code: string): StoreError => {
  const primary = /^SQLITE_([A-Z]+)/.exec(code)?.[1]?.toLowerCase()
  return storeErrors.find(known => known === primary) ?? 'other'
}

/** `codeOf` returns the code of an error of SQLite; null for any other error. */
export const meterStore = (store: Store, codeOf: (error: unknown) => string | null): StoreMeter => {
  const call: StoreMeter['call'] = work => {
    try {
      return work()
    } catch (error) {
      const code = codeOf(error)
      if (code !== null) processMeter.count('svc_store_errors_total', { store, code: labelError(code) })
      throw error
    }
  }
  return {
    call,
    write: work => {
      const sinceMs = performance.now()
      const done = call(work)
      processMeter.observe('svc_store_transaction_seconds', { store }, (performance.now() - sinceMs) / 1_000)
      return done
    },
  }
}
