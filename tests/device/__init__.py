"""Tests of the flash tool: ports, images, deployments, UF2 copies."""
