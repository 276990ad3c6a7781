/** A credential of this host. It cannot be printed: neither text, JSON nor an inspection of it shows the value. */
export interface Secret {
  /** The value, for the one place that sends or compares it. */
  readonly reveal: () => string
}

export const secretOf = (value: string): Secret => ({ reveal: () => value })
