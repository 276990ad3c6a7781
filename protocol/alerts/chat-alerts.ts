import { type AlertTable, alertQuery, queryWindow, threshold } from './alert.js'

/** The alerts of interactions and of messages to the chat. */
export const chatAlerts = {
  KronikaDispatchWaiting: {
    severity: 'critical',
    query: alertQuery`time() - (${'svc_dispatch_oldest_item_timestamp_seconds'} > 0) > ${threshold(60)}`,
    holdSeconds: 0,
    summary: 'An interaction of kind {{ $labels.kind }} has waited for more than a minute.',
    means:
      'A player waits for the answer to an interaction. The host tries it again until [14 ' +
      'minutes](../spec/dispatch.md#l4) after its acceptance, and then it fails.',
    look: [
      '`GET /health`: `dispatch` counts the interactions of each kind, `blocked` what keeps the ' +
        'gate closed (`config_differs`, `config_broken` and `address_changed` in it close nothing).',
      '`svc_dispatch_queue_items`: one item that waits is an attempt that fails again and again, ' +
        'many are a queue that does not move.',
      'The log: `dispatch_disk_refused`, and `restarting` of the actor `dispatch-queue`.',
    ],
    act: [
      'A close or a report waits while the gate is closed: [open ' +
        'it](../howto/operate/when-a-host-refuses-writes.md).',
      'After `dispatch_disk_refused`, make room on the disk of the state area. The queue tries ' +
        'every 5 seconds.',
      'Otherwise wait for the end: an interaction that fails has its reason in the log as ' +
        '`dispatch_failed`.',
    ],
  },
  KronikaDispatchFailed: {
    severity: 'warning',
    query: alertQuery`increase(${'svc_dispatch_enactments_total'}{result="failed"}${queryWindow(1_800)}) > 0`,
    holdSeconds: 0,
    summary: 'An interaction of kind {{ $labels.kind }} failed within the last 30 minutes.',
    means:
      'The host gave up an interaction after its last attempt, or after 14 minutes, and keeps it ' +
      'with the reason. A player asked for something that was not done. The alert ends 30 ' +
      'minutes after the last failure.',
    look: ['The log: `dispatch_failed` has the id, the kind and the reason.'],
    act: [
      'Remove the cause that the reason names.',
      'Ask the player to send the command again: it is a new interaction. The host does not ' +
        'repeat one that has failed.',
    ],
  },
  KronikaChatCourierShut: {
    severity: 'critical',
    query: alertQuery`${'svc_chat_courier_shut_until_timestamp_seconds'} > time()`,
    holdSeconds: 0,
    summary: 'The chat courier makes no calls ({{ $labels.reason }}).',
    means:
      'Messages of the host to the chat wait, and so does every other call with the bot token. `token`: the ' +
      'platform refused the bot token. `budget`: 1,000 calls within ten minutes were refused. ' +
      'Answers to interactions have a courier of their own and are not held.',
    look: [
      'The log: `chat_token_refused`, `chat_invalid_budget_spent`, and the `chat_refused` and `chat_held` before it.',
      '`GET /chat/deliveries`: `detail` of the messages that wait ([how to ' +
        'ask](../howto/operate/when-messages-wait.md#ask)).',
    ],
    act: [
      '`token`: set `SVC_CHAT_BOT_TOKEN`, or its file, to the token that the platform shows for ' +
        'the bot, and start the host again.',
      '`budget`: correct the rights of the bot in the channels that `chat_held` names in the log, or ' +
        'find out who else uses its token. The courier makes calls again after at most ten ' +
        'minutes.',
      'More causes are in [when messages wait](../howto/operate/when-messages-wait.md).',
    ],
  },
  KronikaChatOutboxOld: {
    severity: 'warning',
    query: alertQuery`${'svc_chat_outbox_oldest_age_seconds'} > ${threshold(900)}`,
    holdSeconds: 0,
    summary: 'A message to the chat has waited for more than 15 minutes.',
    means:
      'A message is on the disk and not in the chat. It is [refused](../spec/delivery.md#holds) ' +
      'when it has waited for 24 hours.',
    look: [
      'The log: `chat_held` and `chat_unanswered` name the channel that does not go on, with the reason as `detail`.',
      '`GET /chat/deliveries`: `detail` of the messages with status `queued` ([how to ' +
        'ask](../howto/operate/when-messages-wait.md#ask)). It lists the newest 500: older ones are in the log alone.',
      '`svc_outbound_requests_total{target="chat"}` by `code`: what the platform answers.',
    ],
    act: ['[When messages wait](../howto/operate/when-messages-wait.md) has a row for each cause.'],
  },
} as const satisfies AlertTable
