/** Odd primes up to 167. Modulo each of them, every prime of the faulty generator is a power of 65537. */
const primes = [
  3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107,
  109, 113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
]

const powersOf65537 = (prime: number): ReadonlySet<number> => {
  const powers = new Set<number>()
  for (let power = 1; !powers.has(power); power = (power * 65_537) % prime) powers.add(power)
  return powers
}

const residues = primes.map(prime => ({ prime: BigInt(prime), powers: powersOf65537(prime) }))

/**
 * Whether a modulus, in base64url, shows that its primes can be guessed (CVE-2017-15361). Fewer than one in a
 * hundred million other moduli match.
 */
export const isRoca = (modulus: string): boolean => {
  const hex = Buffer.from(modulus, 'base64url').toString('hex')
  const n = BigInt(`0x0${hex}`)
  return residues.every(({ prime, powers }) => powers.has(Number(n % prime)))
}
