import { idempotencyContract, keysInMemory } from '../../../test/contracts/idempotency-keys.ts';

idempotencyContract('memory', keysInMemory);
