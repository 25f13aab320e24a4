import { walkEveryScreen } from './every-screen.ts';

walkEveryScreen('phone');
