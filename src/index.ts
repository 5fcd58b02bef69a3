export * from './app/public.ts';
