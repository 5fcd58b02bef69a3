import { apiClient } from '../../src/api/client.ts';

export const api = apiClient('/api/v1');
