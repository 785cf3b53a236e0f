/** Owns what MQTT says about itself: questions and answers over a broker of one's own, and entities in Home Assistant. */
import { z } from 'zod'
import type { ChannelManifest } from '../frame/manifest.ts'

/** Levels of letters that need no care in any topic, entity or client id. */
const topicPath = /^[A-Za-z0-9_-]{1,40}(\/[A-Za-z0-9_-]{1,40}){0,4}$/

export const MqttSettings = z.strictObject({
  broker: z
    .url({ protocol: /^(mqtts?|wss?)$/ })
    .max(500)
    .refine((address) => {
      const { username, password } = new URL(address)
      return username === '' && password === ''
    }, 'An address with a user or a password in it is refused.')
    .describe('Address of the broker, such as mqtt://homeassistant.local:1883 or mqtts://….'),
  username: z.string().min(1).max(200).optional().describe('Its user, where it asks for one.'),
  base: z
    .string()
    .regex(topicPath)
    .default('countersign')
    .describe('The topic below which everything is: <base>/ask, <base>/answer, <base>/notice.'),
  client: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/)
    .optional()
    .describe('Its client id; each gateway on a broker needs another.'),
  ca: z
    .string()
    .max(20_000)
    .optional()
    .describe('Certificate (PEM) of the authority that signed the broker’s, where it is your own.'),
  homeAssistant: z.boolean().default(true).describe('Whether Home Assistant finds it by itself.'),
  discoveryPrefix: z
    .string()
    .regex(topicPath)
    .default('homeassistant')
    .describe('The topic below which Home Assistant looks.'),
  device: z.string().min(1).max(60).default('Countersign').describe('Its name in Home Assistant.'),
})
export type MqttSettings = z.infer<typeof MqttSettings>

export const mqttManifest: ChannelManifest = {
  kind: 'mqtt',
  title: 'MQTT and Home Assistant',
  about: 'Takes questions and gives answers over your MQTT broker, and appears in Home Assistant by itself.',
  steps: [
    'On the broker, create a user that may read <base>/ask/# and write <base>/# and homeassistant/#. It must speak MQTT 5.',
    'Let only those write to <base>/ask whom you would let speak here: MQTT does not say who wrote.',
    'Publish a question to <base>/ask, or to <base>/ask/kitchen for a conversation of its own; the answer comes to <base>/answer or <base>/answer/kitchen.',
  ],
  settings: MqttSettings,
  secrets: [{ name: 'password', label: 'Password of the user on the broker', optional: true }],
  // With more than 16,384 bytes of attributes Home Assistant keeps no history of a sensor.
  text: { most: 10_000, unit: 'characters' },
  files: null,
  can: { edit: false, typing: false, buttons: false, groups: false },
  // A broker passes on every PUBLISH, also one that it had before; receivers tell by the id in it.
  sendsOnce: false,
  proves: 'nothing',
  decides: 0,
  identity: (settings, id) => `${id} at ${String(settings['broker'])}`,
  web: false,
  noticeChat: (settings) => `${MqttSettings.parse(settings).base}/notice`,
  direction: 'both',
}
