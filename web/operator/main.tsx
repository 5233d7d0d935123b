import { RouterProvider } from '@tanstack/react-router';
import { loadMessages } from '../messages/text.js';
import { mount } from '../shell/mount.js';
import { router } from './router.js';
import { loadOperatorMessages } from './words.js';

await Promise.all([loadMessages(), loadOperatorMessages()]);
mount(<RouterProvider router={router} />);
