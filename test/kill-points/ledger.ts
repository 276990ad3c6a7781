import { type ChatLedger, openChatLedger } from './chat/chat-ledger.js'

/** One write that somebody asked for: `text` stands nowhere else in the world. */
export interface AckedEntry {
  readonly text: string
  /** Made on another host: here once a converge was answered. */
  readonly isElsewhere?: true
  /** Where the text is to be found when it is not in HEAD: kept aside by a converge, or nowhere, for others wrote over it. */
  readonly beside?: 'parked' | 'replaced'
  /** `acked` by a 2xx, with the commit it named; `open` when no answer came or another one. */
  readonly fate: { readonly _tag: 'acked'; readonly commit: string } | { readonly _tag: 'open' }
}

/** What the clients know: the truth that repository and journal are held against. */
export interface WriteLedger {
  readonly entries: ReadonlyArray<AckedEntry>
  /** A text that was in no write before. */
  readonly fresh: () => string
  readonly record: (entry: AckedEntry) => void
  /** A client saw this event; null, or why that cannot be (S27). */
  readonly sawEvent: (seq: number, event: string) => string | null
  readonly lastSeen: () => number
  readonly keys: KeyLedger
  /** Reasons of the takeovers that were accepted. */
  readonly takeovers: Set<string>
  readonly chat: ChatLedger
}

/** What the clients know of api keys. */
export interface KeyLedger {
  /** Keys that were asked for, whatever was answered. */
  asked: number
  /**
   * Claim codes that were told: nobody asked for the key yet; whoever did was not answered; was given it; and what was
   * seen to give nothing any more.
   */
  readonly codes: Map<string, 'waiting' | 'doubtful' | 'taken' | 'spent'>
  /** Keys that were handed over. */
  readonly taken: Set<string>
}

export const openLedger = (): WriteLedger => {
  const entries: Array<AckedEntry> = []
  const events = new Map<number, string>()
  let count = 0
  let last = 0
  return {
    entries,
    takeovers: new Set(),
    chat: openChatLedger(),
    keys: { asked: 0, codes: new Map(), taken: new Set() },
    fresh: () => {
      count += 1
      return `wpis-${String(count).padStart(5, '0')}`
    },
    record: entry => void entries.push(entry),
    sawEvent: (seq, event) => {
      const before = events.get(seq)
      events.set(seq, event)
      last = Math.max(last, seq)
      return before === undefined || before === event ? null : `event ${seq} was given twice (S27)`
    },
    lastSeen: () => last,
  }
}
