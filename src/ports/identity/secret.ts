/** A credential of this host. Conversion to text, JSON and `util.inspect` never show its value. */
export interface Secret {
  /** Returns the value. Only the code that sends or compares it calls this. */
  readonly reveal: () => string
}

export const secretOf = (value: string): Secret => ({ reveal: () => value })
