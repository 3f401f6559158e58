import { browser } from 'wxt/browser';

// No one is left to hear of a failure here: without the panel there is nothing to show it in.
void browser.devtools.panels.create('MCP', '', 'panel.html');
