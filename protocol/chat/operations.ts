/** The labels of messages to the chat platform: what a delivery is for. Closed; each has one sender. */
export const deliveryOperations = {
  message: { about: 'A message that a caller sent with `POST /chat/send`.' },
  pu: { about: 'The monthly points of a person.' },
  Intel: { about: 'What a session reveals to a person.' },
  'close-reminder': { about: 'A session that its narrator has not closed.' },
  'peer-watch': { about: 'A change of a town of the fleet.' },
  'converge-announce': { about: 'What a converge brought from others.' },
} as const
