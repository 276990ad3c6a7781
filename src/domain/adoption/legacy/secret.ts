/**
 * Credentials of the legacy layout (D36): addresses with write power and raw keys. They are never copied
 * into an adopted file or a finding. The host is matched loosely: only the path of a webhook is fixed.
 */
const webhookPattern = /https?:\/\/[^\s/)\]>"']{1,200}\/api\/webhooks\/[^\s)\]>"']*/giu

/** A hashed key as the contributor store holds it. */
export const isHashedKey = (value: string): boolean => /^sha256:[0-9a-f]{64}$/u.test(value)

/** Whether the text is nothing but a webhook address. */
export const isWebhook = (value: string): boolean =>
  /^https:\/\/[^\s/]{1,200}\/api\/webhooks\/\S+$/iu.test(value.trim())

/** Whether the text holds a webhook address anywhere. */
export const holdsWebhook = (text: string): boolean => text.search(webhookPattern) >= 0

/** The text without its webhook addresses. */
export const redacted = (text: string): string => text.replace(webhookPattern, '[webhook]')

/** What a person is asked to do about a credential that lay in the clear. */
export const revoke = 'Revoke it: everybody with a copy of the repository can use it.'
