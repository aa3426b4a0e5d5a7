#!/usr/bin/env node
import '../dist/moonbase.js';
