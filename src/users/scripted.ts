import type { UserMessage } from '../core/message.ts';
import type { User } from '../core/user.ts';

/** A user that sends prepared messages one after the other and then ends. */
export function scriptedUser(messages: readonly UserMessage[], speaksFirst = 'user'): User {
  let said = 0;
  return {
    speaksFirst: speaksFirst === 'user',
    next() {
      const message = messages[said++];
      return Promise.resolve(message === undefined ? {} : { message });
    },
  };
}
