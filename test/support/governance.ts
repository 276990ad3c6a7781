import { callerWith, type TestFront } from './front.js'
import { isFields } from './matching.js'

/** One caller who reads governance, and one who writes it. */
export const governanceCallers = {
  sess_reads: callerWith(['governance.read'], 'Brzoza'),
  sess_writes: callerWith(['governance.write'], 'Cis'),
}

/** A reply with the fields of its body; none where the body is no object. */
export const withFields = async (asked: ReturnType<TestFront['client']['ask']>) => {
  const { status, text, json } = await asked
  return { status, text, json: isFields(json) ? json : {} }
}
