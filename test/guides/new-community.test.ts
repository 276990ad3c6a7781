import { describeGuide } from './describe-guide.js'

describeGuide('new-community')
