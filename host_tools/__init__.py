"""Picocab's host side: builds, flashes, emulates, drives and checks the cabinet."""
