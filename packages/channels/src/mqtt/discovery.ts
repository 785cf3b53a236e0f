/**
 * Owns what Home Assistant is told of us, as its documentation of MQTT discovery asks: one retained message for each
 * entity, all of one device. An empty one takes the entity away. Pure.
 */
import type { MqttSettings } from './manifest.ts'
import type { Topics } from './topics.ts'

export interface Announcement {
  readonly topic: string
  readonly payload: string
}

export function announcements(settings: MqttSettings, topics: Topics, client: string): Announcement[] {
  return Object.entries(entities(topics)).map(([key, { component, ...entity }]) => {
    const id = `${client}_${key}`
    const payload = {
      ...entity,
      unique_id: id,
      qos: 1,
      device: {
        identifiers: [client],
        name: settings.device,
        manufacturer: 'Countersign',
        model: 'Assistant',
      },
      origin: { name: 'Countersign' },
    }
    return {
      topic: `${settings.discoveryPrefix}/${component}/${id}/config`,
      payload: settings.homeAssistant ? JSON.stringify(payload) : '',
    }
  })
}

function entities({ ask, answer, notice, status }: Topics) {
  return {
    ask: {
      component: 'text',
      name: 'Ask',
      icon: 'mdi:chat-question',
      command_topic: ask,
      max: longestState,
      availability_topic: status,
    },
    answer: { name: 'Last answer', icon: 'mdi:chat', ...sensor(answer, status) },
    notice: { name: 'Last notice', icon: 'mdi:bell', ...sensor(notice, status) },
    connection: {
      component: 'binary_sensor',
      name: 'Connection',
      device_class: 'connectivity',
      entity_category: 'diagnostic',
      // Not available by the same topic: it would be unknown just when it is off.
      state_topic: status,
      payload_on: 'online',
      payload_off: 'offline',
    },
  }
}

const longestState = 255

/** Its state is the beginning of the text; the whole of it is an attribute. */
function sensor(topic: string, status: string) {
  return {
    component: 'sensor',
    state_topic: topic,
    value_template: `{{ value_json.text | truncate(${longestState}, true, '…', 0) }}`,
    json_attributes_topic: topic,
    // The same answer twice is two answers.
    force_update: true,
    availability_topic: status,
  }
}
