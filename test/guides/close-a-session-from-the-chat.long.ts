import { describePage } from './describe-page.js'

describePage('docs/howto/lore/close-a-session-from-the-chat.md')
